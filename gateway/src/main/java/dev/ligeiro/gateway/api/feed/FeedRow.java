package dev.ligeiro.gateway.api.feed;

import dev.ligeiro.message.EventId;
import org.jspecify.annotations.Nullable;

/**
 * An event of a feed, by its number.
 *
 * @param eventId null if the stored delivery cannot be decoded
 */
record FeedRow(long number, @Nullable EventId eventId) {}
