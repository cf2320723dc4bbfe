/** Publishes commands to Kafka: after an insert, for a change, and for the sweeper. */
@NullMarked
package dev.ligeiro.gateway.publish;

import org.jspecify.annotations.NullMarked;
