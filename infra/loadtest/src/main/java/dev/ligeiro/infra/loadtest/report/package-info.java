/**
 * The report of a run: its file, the table for the terminal, the plot and the figures of the documents. Called by the load test's flow.
 */
@NullMarked
package dev.ligeiro.infra.loadtest.report;

import org.jspecify.annotations.NullMarked;
