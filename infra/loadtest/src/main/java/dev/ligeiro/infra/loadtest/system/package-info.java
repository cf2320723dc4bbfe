/**
 * The system under test: starts it or attaches to it, and reads its processes, its lag, its stored transactions and its machine.
 * Called by the load test's flow; reads /proc, Kafka, MongoDB and the services' metrics.
 */
@NullMarked
package dev.ligeiro.infra.loadtest.system;

import org.jspecify.annotations.NullMarked;
