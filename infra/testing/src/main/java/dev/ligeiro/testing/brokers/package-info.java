/** One Kafka and one MongoDB for the integration tests of all modules. */
@NullMarked
package dev.ligeiro.testing.brokers;

import org.jspecify.annotations.NullMarked;
