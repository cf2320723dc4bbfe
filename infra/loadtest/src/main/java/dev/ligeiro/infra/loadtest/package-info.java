/**
 * The load test: starts the system or joins a running one, loads it, audits what came of it and reports. Called by
 * {@code infra/loadtest/run}; speaks to the system as a merchant does, and reads MongoDB, Kafka and /proc beside it.
 */
@NullMarked
package dev.ligeiro.infra.loadtest;

import org.jspecify.annotations.NullMarked;
