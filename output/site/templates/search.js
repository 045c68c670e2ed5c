// podgraph site: the search over titles
"use strict";
const asked = new URLSearchParams(location.search).get("q") ?? "";
const words = asked.toLowerCase().split(/\s+/).filter(Boolean);
const fits = (title) => words.every((word) => title.toLowerCase().includes(word));
const short = (title) => title.toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "");
const rows = Object.entries(titles).flatMap(([folder, all]) => all.filter(([title]) => words.length && fits(title)).map((row) => [folder, ...row]));
document.querySelector("input[name=q]").value = asked;
document.getElementById("count").textContent = words.length ? `${rows.length} found` : "";
document.getElementById("found").append(...rows.slice(0, 200).map(([folder, title, date = "", file = short(title)]) => {
  const item = document.createElement("li");
  const link = document.createElement("a");
  const small = document.createElement("small");
  link.href = `${folder}/${file}.html`;
  link.dir = "auto";
  link.textContent = title;
  small.textContent = date || folder;
  item.append(link, " ", small);
  return item;
}));
