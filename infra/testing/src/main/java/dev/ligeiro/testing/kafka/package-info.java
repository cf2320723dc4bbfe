/** Topics and consumer groups of the shared Kafka. */
@NullMarked
package dev.ligeiro.testing.kafka;

import org.jspecify.annotations.NullMarked;
