package dev.ligeiro.gateway.api.list.count;

import java.util.List;

/**
 * The counts of one filter in the time buckets of one day.
 *
 * @param version the day's, read before the first of them was counted, and when the others were valid
 * @param buckets the oldest first, not overlapping, perhaps with gaps
 */
record DayCounts(long epochDay, long version, List<BucketCount> buckets) {

    /** The counts in a part of the day. Buckets that are only partly in it cannot be used for it. */
    List<BucketCount> within(TimeBucket part) {
        return buckets.stream().filter(each -> part.contains(each.bucket())).toList();
    }

    /** Whether the counts in this part of the day have no gap. */
    boolean cover(TimeBucket part) {
        return within(part).stream().mapToLong(each -> each.bucket().minutes()).sum() == part.minutes();
    }

    /**
     * The number of matches in a time bucket.
     *
     * @param version the bucket's, read before its matches were counted
     */
    record BucketCount(TimeBucket bucket, long version, long count) {}
}
