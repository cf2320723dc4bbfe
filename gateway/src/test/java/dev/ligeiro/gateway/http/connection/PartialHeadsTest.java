package dev.ligeiro.gateway.http.connection;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.gateway.MemoryBudget;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.netty.http.server.HttpServer;

/** The part of the heap for them has room for three parts of about 100 bytes. */
class PartialHeadsTest {

    private static final String PART = "GET / HTTP/1.1\r\na: " + "x".repeat(80);
    private static final long HEAP_BYTES = 10 * 3 * PartialHeads.bytes(PART.length());
    private static final String REST = "\r\n\r\n";

    private final PartialHeads heads = new PartialHeads(HEAP_BYTES);
    private final List<EmbeddedChannel> channels = new ArrayList<>();

    @AfterEach
    void close() {
        channels.forEach(EmbeddedChannel::finishAndReleaseAll);
    }

    @Test
    void theOldestPartIsClosedWhenAllTakeMoreThanTheirPartOfTheHeap() {
        EmbeddedChannel first = connection(PART);
        EmbeddedChannel second = connection(PART);
        EmbeddedChannel third = connection(PART);
        assertThat(channels).allMatch(EmbeddedChannel::isOpen);

        EmbeddedChannel fourth = connection(PART);
        assertThat(first.isOpen()).isFalse();

        receive(fourth, "x".repeat(60));
        assertThat(second.isOpen()).isFalse();
        assertThat(third.isOpen()).isTrue();
        assertThat(fourth.isOpen()).isTrue();
    }

    @Test
    void aPartThatGrowsKeepsItsAge() {
        EmbeddedChannel first = connection(PART);
        EmbeddedChannel second = connection(PART);
        EmbeddedChannel third = connection(PART);

        receive(first, "x");

        assertThat(first.isOpen()).isFalse();
        assertThat(second.isOpen()).isTrue();
        assertThat(third.isOpen()).isTrue();
    }

    /** So a client that only waits for its response is never closed. */
    @Test
    void aCompletedHeadAndAClosedConnectionLeaveTheirRoom() {
        EmbeddedChannel completed = connection(PART);
        receive(completed, REST);
        connection(PART).close();
        connection(PART + REST);
        for (int i = 0; i < 3; i++) {
            connection(PART);
        }
        assertThat(channels).filteredOn(EmbeddedChannel::isOpen).hasSize(5).contains(completed);

        connection(PART);
        assertThat(channels).filteredOn(EmbeddedChannel::isOpen).hasSize(5).contains(completed);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                // each is the content of one read
                "GET / HTTP/1.1\r\n\r\nGET /x HTTP/1.1\r\n",
                "GET / HTTP/1.1\r\n\r\nGET / HTTP/1.1\r\na: b\r\n",
                "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\na: b\r\n",
                "GET /",
                "GET / HTTP/1.1\r\n",
            })
    void aPartIsSeenWhereverTheReadEnds(String received) {
        EmbeddedChannel first = connection(received);
        connection("GET /" + "x".repeat(1_000));
        connection("GET /" + "x".repeat(1_000));

        assertThat(first.isOpen()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET / HTTP/1.1\r\n\r\n",
                "GET / HTTP/1.1\r\n\r\nGET / HTTP/1.1\r\na: b\r\n\r\n",
                "POST / HTTP/1.1\r\nContent-Length: 9\r\n\r\n{",
                "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\na: b\r\n\r\n",
            })
    void aCompleteHeadIsNone(String received) {
        EmbeddedChannel first = connection(received);
        connection("GET /" + "x".repeat(1_000));
        connection("GET /" + "x".repeat(1_000));

        assertThat(first.isOpen()).isTrue();
    }

    /** The expected heap was measured in a gateway with 2,000 such connections. */
    @ParameterizedTest
    @CsvSource({
        "   31,  3000",
        "  416, 12300",
        " 8019, 11300",
        "12101, 22900",
        "12196, 31400",
        "11885, 36100",
    })
    void aPartCountsWithAtLeastTheHeapThatItTakes(int received, long heapBytes) {
        assertThat(PartialHeads.bytes(received)).isGreaterThanOrEqualTo(heapBytes);
    }

    /** They send about 100 bytes each. */
    @Test
    void theHalfOpenRequestsOfTheLoadTestStayOpen() {
        assertThat(5_000 * PartialHeads.bytes(100)).isLessThan(MemoryBudget.partialHeads(MemoryBudget.HEAP_BYTES_MIN));
    }

    private EmbeddedChannel connection(String received) {
        PartialHead head = new PartialHead(heads);
        EmbeddedChannel channel = new EmbeddedChannel(
                head.bytes(), new RequestCodec(HttpServer.create().configuration()).ofConnection(head::begin), head);
        channels.add(channel);
        receive(channel, received);
        return channel;
    }

    private static void receive(EmbeddedChannel channel, String text) {
        channel.writeInbound(Unpooled.copiedBuffer(text, US_ASCII));
    }
}
