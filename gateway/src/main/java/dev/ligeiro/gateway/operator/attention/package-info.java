/** How far the readers of Kafka lag. Runs by itself at every gateway; asks Kafka. */
@NullMarked
package dev.ligeiro.gateway.operator.attention;

import org.jspecify.annotations.NullMarked;
