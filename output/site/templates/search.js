// podgraph site: the search over titles
"use strict";
const asked = new URLSearchParams(location.search).get("q") ?? "";
const words = asked.toLowerCase().split(/\s+/).filter(Boolean);
const matches = words.length ? titles.filter(([title]) => words.every((word) => title.toLowerCase().includes(word))) : [];
document.querySelector("input[name=q]").value = asked;
document.getElementById("count").textContent = words.length ? `${matches.length} found` : "";
document.getElementById("found").append(...matches.slice(0, 200).map(([title, path, what]) => {
  const item = document.createElement("li");
  const link = document.createElement("a");
  const small = document.createElement("small");
  link.href = path;
  link.dir = "auto";
  link.textContent = title;
  small.textContent = ` ${what}`;
  item.append(link, small);
  return item;
}));
