package dev.ligeiro.gateway.http.connection;

import dev.ligeiro.gateway.MemoryBudget;
import io.netty.channel.Channel;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/**
 * The request heads and trailers of all connections of which only a part has arrived. Together they take at most a tenth of the heap: above
 * that, the connections whose part is the oldest are closed, also while an earlier request of theirs is being answered. An ordinary client
 * sends its head at once; only an attacker keeps thousands unfinished.
 */
@Component
class PartialHeads {

    // measured with 2,000 connections (RATIONALE.md), rounded up
    private static final long CONNECTION_BYTES = 3_000;

    /** The text of a head and the buffer of its longest line. */
    private static final long COPIES = 2;

    private static final long FIELD_BYTES = 100;
    /** A name of one character, a colon and a line end. */
    private static final int FIELD_RECEIVED_MIN = 4;

    private final long bytesMax;
    /** Bytes by connection, the oldest first. */
    private final Map<Channel, Long> bytes = new LinkedHashMap<>();

    private long bytesInAll;

    PartialHeads() {
        this(Runtime.getRuntime().maxMemory());
    }

    PartialHeads(long heapBytes) {
        this.bytesMax = MemoryBudget.partialHeads(heapBytes);
    }

    /** Call it again when more of the part has arrived. It keeps its age. */
    void hold(Channel channel, int received) {
        tooOld(channel, bytes(received)).forEach(Channel::close);
    }

    private synchronized List<Channel> tooOld(Channel channel, long now) {
        @Nullable Long before = bytes.put(channel, now);
        bytesInAll += now - (before == null ? 0 : before);
        List<Channel> closed = new ArrayList<>();
        Iterator<Map.Entry<Channel, Long>> oldest = bytes.entrySet().iterator();
        while (bytesInAll > bytesMax && oldest.hasNext()) {
            Map.Entry<Channel, Long> next = oldest.next();
            bytesInAll -= next.getValue();
            closed.add(next.getKey());
            oldest.remove();
        }
        return closed;
    }

    synchronized void release(Channel channel) {
        @Nullable Long before = bytes.remove(channel);
        bytesInAll -= before == null ? 0 : before;
    }

    /** The heap of a connection with so many bytes of a head, at most. */
    static long bytes(int received) {
        long fields = Math.min(FewFields.MAX, received / FIELD_RECEIVED_MIN);
        return CONNECTION_BYTES + COPIES * received + FIELD_BYTES * fields;
    }
}
