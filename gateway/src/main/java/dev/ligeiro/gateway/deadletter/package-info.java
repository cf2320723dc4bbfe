/**
 * Dead letters: the operator lists the records that could not be processed, and sends them back to their topic. Serves the management
 * port only. Kafka keeps the dead letters; MongoDB keeps which of them have been sent back.
 */
@NullMarked
package dev.ligeiro.gateway.deadletter;

import org.jspecify.annotations.NullMarked;
