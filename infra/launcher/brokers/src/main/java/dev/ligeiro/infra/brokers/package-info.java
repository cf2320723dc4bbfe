/**
 * A real Kafka broker and a real mongod as child processes of this JVM. Called by the standalone launcher, the load test
 * and every module's integration tests; calls nothing of Ligeiro.
 */
@NullMarked
package dev.ligeiro.infra.brokers;

import org.jspecify.annotations.NullMarked;
