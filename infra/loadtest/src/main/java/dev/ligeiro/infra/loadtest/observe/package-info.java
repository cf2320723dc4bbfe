/**
 * Reads what a run uses: CPU, memory, allocation, consumer lag, the disk and the machine. Called by the load test's flow; reads /proc,
 * Kafka and the services' metrics.
 */
@NullMarked
package dev.ligeiro.infra.loadtest.observe;

import org.jspecify.annotations.NullMarked;
