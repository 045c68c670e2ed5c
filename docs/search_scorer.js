// The order of search results: page titles, then headings, then words in the text; generated pages and the changelog last.
var Scorer = {
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
  score: ([page, title, anchor, , score, , kind]) => {
    const query = new URLSearchParams(location.search).get("q") ?? "";
    const words = query.toLowerCase().split(/\s+/).filter((word) => title.toLowerCase().includes(word));
    const heading = kind === "title" ? (anchor ? 20 : 40) : 0;
    return score + heading + 10 * words.length - (/^(made\/|about\/changes|contract)/.test(page) ? 10 : 0);
  },
};
