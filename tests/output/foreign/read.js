// node read.js gexf|graphml|cyjs|dot|d3 FILE: what the format's own reader finds, as JSON on standard output.
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

// As in the examples of D3: the file's nodes and edges, tied by id, one step of the simulation.
READERS.d3 = async (text) => {
  const { forceLink, forceSimulation } = await import("d3-force");
  const { nodes, edges } = JSON.parse(text);
  const before = nodes.map((node) => [node.x, node.y]);
  forceSimulation(nodes).force("link", forceLink(edges).id((node) => node.id)).stop().tick();
  return {
    nodes: nodes.map((node, place) => [node.id, before[place], [node.x, node.y].every(Number.isFinite)]),
    edges: edges.map((edge) => [edge.source.id, edge.target.id, edge.key]),
  };
};

function fromGraphology(graph) {
  return {
    nodes: graph.mapNodes((node, attributes) => [node, attributes]),
    edges: graph.mapEdges((edge, attributes, source, target) => [edge, source, target, attributes]),
  };
}

const [format, file] = process.argv.slice(2);
Promise.resolve(READERS[format](fs.readFileSync(file, "utf8"))).then((found) => process.stdout.write(JSON.stringify(found)));
