/**
 * The load test without a command, which measures each scenario's peak, parts of it, and a start; the command {@code isolation}; and what all
 * commands need: a running system with a merchant of the run, a load in a measured window, and progress at the terminal. Called by the
 * command line and the package {@code list}; calls the merchant, the system and the report.
 */
@NullMarked
package dev.ligeiro.infra.loadtest.run;

import org.jspecify.annotations.NullMarked;
