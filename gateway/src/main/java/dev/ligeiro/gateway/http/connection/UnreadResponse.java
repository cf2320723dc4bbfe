package dev.ligeiro.gateway.http.connection;

import io.netty.channel.Channel;
import io.netty.channel.ChannelOutboundBuffer;
import java.time.Duration;

/** How long a client has read nothing of its response, seen by the bytes that the channel has not sent. Times are in nanoseconds. */
final class UnreadResponse {

    private final ConnectionProperties limits;
    private long unsentBytes;
    /** When the client last took a part of its response, as far as looks have shown it. */
    private long readNanos;

    UnreadResponse(ConnectionProperties limits) {
        this.limits = limits;
    }

    void writabilityChanged(Channel channel, long now) {
        readNanos = now;
        unsentBytes = unsentBytes(channel);
    }

    /**
     * Until the limit is over. While a slow client reads, the unsent bytes become fewer, and the limit begins anew. For a long response it
     * holds until all bytes are sent, also once the channel is writable again.
     */
    long leftNanos(Channel channel, long now) {
        long unsent = unsentBytes(channel);
        if (unsent != unsentBytes) {
            unsentBytes = unsent;
            readNanos = now;
        }
        boolean isLong = LongResponse.runsOn(channel);
        if (channel.isWritable() && !(isLong && unsent > 0)) {
            return Long.MAX_VALUE;
        }
        Duration limit = isLong ? limits.longResponseTimeout() : limits.responseTimeout();
        return readNanos + limit.toNanos() - now;
    }

    private static long unsentBytes(Channel channel) {
        ChannelOutboundBuffer buffer = channel.unsafe().outboundBuffer();
        return buffer == null ? 0 : buffer.totalPendingWriteBytes() - buffer.currentProgress();
    }
}
