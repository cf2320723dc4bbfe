/**
 * Commands on their way to Kafka: after an insert, from a change, from the sweeper.
 */
@NullMarked
package dev.ligeiro.gateway.publish;

import org.jspecify.annotations.NullMarked;
