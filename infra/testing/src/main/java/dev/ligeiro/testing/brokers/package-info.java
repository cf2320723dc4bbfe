/** One Kafka and one MongoDB for the integration tests of a module. */
@NullMarked
package dev.ligeiro.testing.brokers;

import org.jspecify.annotations.NullMarked;
