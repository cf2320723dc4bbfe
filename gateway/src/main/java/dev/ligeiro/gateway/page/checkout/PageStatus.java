package dev.ligeiro.gateway.page.checkout;

import dev.ligeiro.transaction.Status;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What an open page is told.
 *
 * @param reconnectAfter how long the page waits after its stream ends before it asks again; null: as it was told before
 */
record PageStatus(Status status, @Nullable Duration reconnectAfter) {}
