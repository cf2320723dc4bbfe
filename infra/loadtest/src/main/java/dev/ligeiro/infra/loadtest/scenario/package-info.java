/**
 * The load test without a command: warms each scenario up, measures its peak and parts of it, and audits it; and the time of a start.
 * Called by the command line.
 */
@NullMarked
package dev.ligeiro.infra.loadtest.scenario;

import org.jspecify.annotations.NullMarked;
