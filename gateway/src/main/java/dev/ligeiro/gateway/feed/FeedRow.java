package dev.ligeiro.gateway.feed;

import dev.ligeiro.message.EventId;

/** An event of a feed, by its number. */
record FeedRow(long number, EventId eventId) {}
