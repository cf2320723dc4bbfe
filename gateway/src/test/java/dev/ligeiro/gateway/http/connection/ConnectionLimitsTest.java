package dev.ligeiro.gateway.http.connection;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ligeiro.gateway.http.connection.ConnectionSetup.ConnectionProperties;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpVersion;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Idle 75 s, request 20 s. Time is the channel's. */
class ConnectionLimitsTest {

    private static final ConnectionProperties LIMITS =
            new ConnectionProperties(1, Duration.ofSeconds(75), Duration.ofSeconds(20), Duration.ZERO, false);

    private static final String HEAD = "POST /api/v1/webhooks?x=1 HTTP/1.1\r\nContent-Length: 10\r\n\r\n";

    private final EmbeddedChannel channel = new EmbeddedChannel();

    @BeforeEach
    void open() {
        channel.freezeTime();
        ConnectionLimits limits = new ConnectionLimits(LIMITS);
        channel.pipeline().addLast(limits.bytes(), new HttpServerCodec(), limits);
    }

    @AfterEach
    void close() {
        channel.finishAndReleaseAll();
    }

    @Test
    void aSilentConnectionCloses() {
        assertOpenFor(75);
        assertThat(sent()).isEmpty();
    }

    @Test
    void aHeadThatComesByteByByteHasALimit() {
        pass(50);
        for (int part = 0; part < 9; part++) {
            receive("x");
            pass(2);
        }
        receive("x");

        assertOpenFor(2);
        assertThat(sent()).startsWith("HTTP/1.1 408 Request Timeout\r\n").contains("connection: close");
    }

    @Test
    void aBodyThatComesByteByByteHasALimit() {
        receive(HEAD);
        for (int second = 0; second < 9; second++) {
            pass(2);
            receive("x");
        }

        assertOpenFor(2);
        assertThat(sent()).startsWith("HTTP/1.1 408");
    }

    @Test
    void aBodyThatNobodyReadsHasALimit() {
        receive(HEAD);
        respond();
        assertThat(sent()).startsWith("HTTP/1.1 204");
        receive("x");

        assertOpenFor(20);
        assertThat(sent()).isEmpty();
    }

    @Test
    void aHeadCountsForTheWholeRequest() {
        receive(HEAD.substring(0, 10));
        pass(9);
        receive(HEAD.substring(10));

        assertOpenFor(11);
    }

    /** The route's own limit holds. */
    @Test
    void aResponseMayTakeLonger() {
        receive(HEAD + "0123456789");
        pass(1_000);
        assertThat(channel.isOpen()).isTrue();

        respond();

        assertOpenFor(75);
    }

    @Test
    void eachRequestBeginsAnew() {
        for (int request = 0; request < 5; request++) {
            receive(HEAD);
            pass(15);
            receive("0123456789");
            respond();
            pass(60);
        }

        assertThat(channel.isOpen()).isTrue();
        assertOpenFor(15);
    }

    @Test
    void aPartOfTheNextRequestIsNotAnsweredBeforeTheFirstOne() {
        receive(HEAD + "0123456789");
        receive("GET");
        pass(1_000);
        assertThat(channel.isOpen()).isTrue();

        respond();
        assertThat(sent()).startsWith("HTTP/1.1 204");

        assertOpenFor(20);
        assertThat(sent()).startsWith("HTTP/1.1 408");
    }

    @Test
    void aBodyThatComesAheadHasItsTimeAfterTheEarlierResponse() {
        receive(HEAD + "0123456789" + HEAD + "0");
        pass(1_000);

        respond();
        assertThat(sent()).startsWith("HTTP/1.1 204");

        assertOpenFor(20);
        assertThat(sent()).startsWith("HTTP/1.1 408");
    }

    /** The transport may say that a read is complete although nothing came. */
    @Test
    void aReadWithoutBytesBeginsNoRequest() {
        receive(HEAD + "0123456789");
        respond();

        channel.pipeline().fireChannelReadComplete();

        assertOpenFor(75);
    }

    @Test
    void aClientThatDoesNotReadItsResponseLosesItsConnection() {
        receive(HEAD + "0123456789");
        pass(100);
        channel.pipeline().firstContext().write(Unpooled.buffer().writeZero(100_000));

        // seen at the next look, after 20 s
        assertOpenFor(50);
    }

    @Test
    void aClientMayStopReadingALongResponseForMinutes() {
        receive(HEAD + "0123456789");
        LongResponse.begin(channel);
        channel.write(new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK));

        // seen at the next look, after 20 s
        assertOpenFor(320);
    }

    @Test
    void theResponseAfterALongOneMustBeRead() {
        receive(HEAD + "0123456789");
        LongResponse.begin(channel);
        respond();
        receive(HEAD + "0123456789");
        channel.write(new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK));

        assertOpenFor(50);
    }

    @Test
    void aClientThatReadsSlowlyKeepsItsConnection() {
        receive(HEAD + "0123456789");
        for (int part = 0; part < 20; part++) {
            channel.pipeline().firstContext().write(Unpooled.buffer().writeZero(100_000));
        }
        ChannelOutboundBuffer unsent = channel.unsafe().outboundBuffer();
        unsent.addFlush();
        for (int part = 0; part < 10; part++) {
            pass(20);
            unsent.remove();
            pass(5);
            unsent.progress(10);
        }
        assertThat(channel.isOpen()).isTrue();
        pass(29);
        assertThat(channel.isOpen()).isTrue();

        pass(21);

        assertThat(channel.isOpen()).isFalse();
    }

    /** A client must not take 100 for the last response of its connection. */
    @Test
    void afterTheStopHasBegunAResponseIsTheLastOneOfItsConnection() {
        DrainConnections drain = new DrainConnections(LIMITS);
        channel.pipeline().addLast(drain);
        assertThat(sent(HttpResponseStatus.OK)).doesNotContain("connection: ");
        drain.stop();
        assertThat(sent(HttpResponseStatus.CONTINUE)).doesNotContain("connection: ");
        assertThat(sent(HttpResponseStatus.OK)).contains("connection: close\r\n");
    }

    private String sent(HttpResponseStatus status) {
        receive("GET / HTTP/1.1\r\n\r\n");
        channel.writeOutbound(new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, status));
        return sent();
    }

    /** Its connections would have no limits. */
    @Test
    void http2IsRefusedAtTheStart() {
        EarlyProblems problems = new EarlyProblems(new SimpleMeterRegistry());
        DrainConnections drain = new DrainConnections(LIMITS);
        assertThatThrownBy(() -> new ConnectionSetup(LIMITS, problems, drain, true))
                .hasMessage("server.http2.enabled: true (expected: false; a load balancer in front may speak HTTP/2)");
    }

    private void receive(String text) {
        channel.writeInbound(Unpooled.copiedBuffer(text, US_ASCII));
    }

    private void respond() {
        channel.writeOutbound(new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.NO_CONTENT));
    }

    private void assertOpenFor(int seconds) {
        pass(seconds - 1);
        assertThat(channel.isOpen()).isTrue();
        pass(1);
        assertThat(channel.isOpen()).isFalse();
    }

    private void pass(int seconds) {
        for (int second = 0; second < seconds; second++) {
            channel.advanceTimeBy(1, TimeUnit.SECONDS);
            channel.runScheduledPendingTasks();
        }
    }

    private String sent() {
        StringBuilder text = new StringBuilder();
        for (ByteBuf next = channel.readOutbound(); next != null; next = channel.readOutbound()) {
            text.append(next.toString(US_ASCII));
            next.release();
        }
        return text.toString();
    }
}
