/**
 * The load test without a command (it warms each scenario up, measures its peak and parts of it, and audits it; and it measures a start),
 * and what the commands need too: a running system with a merchant of the run, a load in a measured window, and progress at the terminal.
 * The command line and the commands call in; it calls the merchant, the system and the report.
 */
@NullMarked
package dev.ligeiro.infra.loadtest.run;

import org.jspecify.annotations.NullMarked;
