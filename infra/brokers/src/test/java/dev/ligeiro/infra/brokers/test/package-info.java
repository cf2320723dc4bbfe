/** A real Kafka and a real MongoDB for every module's integration tests; published as this module's test-jar. */
@NullMarked
package dev.ligeiro.infra.brokers.test;

import org.jspecify.annotations.NullMarked;
