package dev.ligeiro.infra.loadtest;

import dev.ligeiro.infra.client.MerchantApi;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import java.nio.charset.StandardCharsets;
import java.util.UUID;

/** Whether a response is the one that its call must get. Used by the generator's thread. */
final class ResponseCheck {

    private static final String TRANSACTION_PATH = MerchantApi.transactionPath("");
    private static final String TRANSACTION = "{\"transaction\":[{\"id\":\"";
    private static final String PAGE = "{\"transactions\":[{\"id\":\"";
    private static final ByteBuf IMAGE =
            Unpooled.copiedBuffer("\"qr_code_image\":\"data:image/png;base64,", StandardCharsets.US_ASCII);
    /** The response to a list has no transaction id of its own. */
    private static final UUID NO_ID = new UUID(1, 1);

    private static final int EXCERPT_MAX = 300;

    private final CallJournal journal;
    private final Requests requests;
    private int imageAt;

    ResponseCheck(CallJournal journal, Requests requests) {
        this.journal = journal;
        this.requests = requests;
    }

    /** Adds the response to the journal when it is correct; returns whether it is. */
    boolean accept(FullHttpResponse response, Call call, int number) {
        if (response.status().code() != call.status()) {
            return false;
        }
        return switch (call) {
            case PENDING_CASHIN, PAID_CASHIN -> hasImage(response.content()) && isCreated(response, number);
            case CASHOUT -> isCreated(response, number);
            case SHOW -> isRead(response, number, TRANSACTION + requests.shownId(number) + '"');
            case LIST_FIRST_PAGE, LIST_LAST_PAGE, LIST_FILTERED -> isRead(response, number, PAGE);
        };
    }

    static String excerpt(FullHttpResponse response) {
        return "status " + response.status().code() + " " + start(response, EXCERPT_MAX);
    }

    private boolean isCreated(FullHttpResponse response, int number) {
        String location = response.headers().get(HttpHeaderNames.LOCATION, "");
        int pathAt = location.indexOf(TRANSACTION_PATH);
        if (pathAt < 0) {
            return false;
        }
        try {
            journal.addResponse(number, UUID.fromString(location.substring(pathAt + TRANSACTION_PATH.length())));
            return true;
        } catch (IllegalArgumentException noUuid) {
            return false;
        }
    }

    /** The image mostly has the same offset as in the previous response: a search of 5 kB is seldom necessary. */
    private boolean hasImage(ByteBuf body) {
        int length = IMAGE.readableBytes();
        if (imageAt + length > body.writerIndex() || !ByteBufUtil.equals(IMAGE, 0, body, imageAt, length)) {
            imageAt = Math.max(0, ByteBufUtil.indexOf(IMAGE, body));
        }
        return imageAt > 0;
    }

    private boolean isRead(FullHttpResponse response, int number, String expectedStart) {
        journal.addResponse(number, NO_ID);
        return start(response, expectedStart.length()).equals(expectedStart);
    }

    private static String start(FullHttpResponse response, int lengthMax) {
        ByteBuf body = response.content();
        int length = Math.min(lengthMax, body.readableBytes());
        return body.toString(body.readerIndex(), length, StandardCharsets.UTF_8);
    }
}
