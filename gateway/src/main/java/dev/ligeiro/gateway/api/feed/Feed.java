package dev.ligeiro.gateway.api.feed;

import java.util.UUID;

/**
 * The feed of a tenant.
 *
 * @param id the id of the endpoint behind it
 * @param lastNumber the number of its last event; it may lag behind, so events with higher numbers may be stored already; 0 without an event
 */
record Feed(UUID id, long lastNumber) {

    static final long FIRST_NUMBER = 1;
}
