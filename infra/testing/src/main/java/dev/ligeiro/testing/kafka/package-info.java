/** Creates and reads topics of the shared Kafka. */
@NullMarked
package dev.ligeiro.testing.kafka;

import org.jspecify.annotations.NullMarked;
