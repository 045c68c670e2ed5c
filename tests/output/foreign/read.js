// node read.js gexf|graphml|cyjs|dot FILE: what the format's own reader finds, as JSON on standard output.
"use strict";
const fs = require("node:fs");

const READERS = {
  gexf: (text) => fromGraphology(require("graphology-gexf").parse(require("graphology").MultiDirectedGraph, text)),
  graphml: (text) =>
    fromGraphology(require("graphology-graphml").parse(require("graphology").MultiDirectedGraph, text)),
  cyjs: (text) => {
    const cy = require("cytoscape")({ headless: true, layout: { name: "preset" }, elements: JSON.parse(text).elements });
    return {
      nodes: cy.nodes().map((node) => [node.id(), node.data(), node.position()]),
      edges: cy.edges().map((edge) => [edge.id(), edge.source().id(), edge.target().id(), edge.data()]),
    };
  },
  dot: (text) => {
    const nodes = [];
    const edges = [];
    const walk = (children) => {
      for (const child of children) {
        if (child.type === "node_stmt") nodes.push(child.node_id.id);
        else if (child.type === "edge_stmt") edges.push(child.edge_list.map((end) => end.id));
        else if (child.type === "subgraph") walk(child.children);
      }
    };
    for (const graph of require("dotparser")(text)) walk(graph.children);
    return { nodes, edges };
  },
};

function fromGraphology(graph) {
  return {
    nodes: graph.mapNodes((node, attributes) => [node, attributes]),
    edges: graph.mapEdges((edge, attributes, source, target) => [edge, source, target, attributes]),
  };
}

const [format, file] = process.argv.slice(2);
process.stdout.write(JSON.stringify(READERS[format](fs.readFileSync(file, "utf8"))));
