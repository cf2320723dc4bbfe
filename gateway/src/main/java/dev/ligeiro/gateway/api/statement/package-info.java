/** A merchant's balance and statement, from the books that the processors write. Called over HTTP; calls MongoDB and Kafka. */
@NullMarked
package dev.ligeiro.gateway.api.statement;

import org.jspecify.annotations.NullMarked;
