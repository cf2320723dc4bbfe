package dev.ligeiro.transaction;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The API key that a request came with. Only operators see it.
 *
 * @param key its id, which tells nothing about the key itself
 * @param session the session of the merchant console that used the key; null for a request of the merchant's own programs
 */
public record Requester(UUID key, @Nullable UUID session) {}
