package dev.ligeiro.gateway.api.list.count;

import org.jspecify.annotations.Nullable;

/**
 * What a day's document of kept counts, or of versions, has of the whole day.
 *
 * @param version null if no count of the whole day is kept
 * @param usedAt when it was last used, in milliseconds of the epoch; of versions when one was last replaced or renewed
 */
record WholeDay(long epochDay, @Nullable Long version, long count, boolean split, long usedAt) {}
