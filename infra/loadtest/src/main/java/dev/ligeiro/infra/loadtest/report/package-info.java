/**
 * The report of a run: its file, the tables for the terminal and the figures of the documents. The commands call in.
 */
@NullMarked
package dev.ligeiro.infra.loadtest.report;

import org.jspecify.annotations.NullMarked;
