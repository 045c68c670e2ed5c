// @ts-check
// What the interface says: the texts of a language, of which strings/en.json is one.

import texts from "../strings/en.json" with { type: "json" };

const plural = new Intl.PluralRules(texts.language);
const numbers = new Intl.NumberFormat(texts.language);

/** A number as the language writes it. @param {number} value */
export const numeral = (value) => numbers.format(value);

/** The name of a kind within a sentence: German keeps the capital of nouns. @param {string} name */
export const inSentence = (name) => (texts.language === "de" ? name : name.toLowerCase());

/** A text of the interface, what it is about put in; `count` also chooses among the forms of a plural. @param {keyof typeof texts} name @param {Record<string, string | number>} [about] @returns {string} */
export function phrase(name, about = {}) {
  const text = texts[name];
  const form = typeof text === "string" ? text : /** @type {Record<string, string>} */ (text)[plural.select(Number(about.count))] ?? text.other;
  return form.replace(/\{(\w+)\}/g, (_, part) => (typeof about[part] === "number" ? numeral(about[part]) : about[part]));
}
