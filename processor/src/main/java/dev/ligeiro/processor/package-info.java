/** The processor service: Kafka in, rail, MongoDB, Kafka out. The only writer of a stored transaction. */
@NullMarked
package dev.ligeiro.processor;

import org.jspecify.annotations.NullMarked;
