/**
 * What is told of a run: the table, the JSON file, the plot.
 */
@NullMarked
package dev.ligeiro.infra.loadtest.report;

import org.jspecify.annotations.NullMarked;
