/**
 * The load test: starts the system or attaches to a running one, loads it, audits the result and reports. Called by
 * {@code infra/loadtest/run}; calls the system as a merchant does, and reads MongoDB, Kafka and /proc.
 */
@NullMarked
package dev.ligeiro.infra.loadtest;

import org.jspecify.annotations.NullMarked;
