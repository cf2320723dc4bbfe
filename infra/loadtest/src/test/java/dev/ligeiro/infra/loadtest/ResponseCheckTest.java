package dev.ligeiro.infra.loadtest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.infra.client.Api;
import dev.ligeiro.infra.client.MerchantApi;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ResponseCheckTest {

    private static final String ID = "019cd827-d553-7abc-9def-0123456789ab";
    private static final String IMAGE = "\"qr_code_image\":\"data:image/png;base64,AAAA\"}";
    private static final String LOCATION = "/api/v1/transaction/" + ID;

    private final CallJournal journal = new CallJournal(new CallIdentifiers("00c0ffee"));
    private final Requests requests =
            new Requests(new MerchantApi(new Api("http://localhost:8080", "sk_test_x"), "p1"), journal);
    private final ResponseCheck check = new ResponseCheck(journal, requests);

    @Test
    void addsTheIdOfACreatedTransaction() {
        int number = journal.add(Call.PENDING_CASHIN, 0);

        assertThat(accept(201, LOCATION, "{" + IMAGE, Call.PENDING_CASHIN, number))
                .isTrue();
        assertThat(journal.id(number)).isEqualTo(UUID.fromString(ID));
    }

    @Test
    void findsTheImageWhereverItIs() {
        for (String before : new String[] {"{", "{\"a\":1,", "{"}) {
            assertThat(accept(201, LOCATION, before + IMAGE, Call.PAID_CASHIN, journal.add(Call.PAID_CASHIN, 0)))
                    .isTrue();
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "200 | /api/v1/transaction/019cd827-d553-7abc-9def-0123456789ab | another status",
                "201 | /api/v1/transaction/019cd827-d553-7abc-9def              | a malformed id",
                "201 | /elsewhere                                               | another path"
            })
    void refusesOtherAnswersToACreate(int status, String location, String reason) {
        int number = journal.add(Call.CASHOUT, 0);

        assertThat(accept(status, location, "{}", Call.CASHOUT, number))
                .as(reason)
                .isFalse();
        assertThat(journal.isAnswered(number)).isFalse();
    }

    @Test
    void refusesACashinWithoutAnImage() {
        assertThat(accept(201, LOCATION, "{\"id\":1}", Call.PENDING_CASHIN, journal.add(Call.PENDING_CASHIN, 0)))
                .isFalse();
    }

    @Test
    void aShowMustReturnTheRequestedTransaction() {
        journal.addResponse(journal.add(Call.PENDING_CASHIN, 0), UUID.fromString(ID));
        int number = journal.add(Call.SHOW, 0);

        assertThat(accept(200, "", "{\"transaction\":[{\"id\":\"" + ID + "\"}]}", Call.SHOW, number))
                .isTrue();
        assertThat(accept(200, "", "{\"transaction\":[{\"id\":\"" + UUID.randomUUID() + "\"}]}", Call.SHOW, number))
                .isFalse();
    }

    @Test
    void aPageMustHaveATransaction() {
        int number = journal.add(Call.LIST_FIRST_PAGE, 0);

        assertThat(accept(200, "", "{\"transactions\":[{\"id\":\"x\"}]}", Call.LIST_FIRST_PAGE, number))
                .isTrue();
        assertThat(accept(200, "", "{\"transactions\":[]}", Call.LIST_FIRST_PAGE, number))
                .isFalse();
    }

    private boolean accept(int status, String location, String body, Call call, int number) {
        FullHttpResponse response = new DefaultFullHttpResponse(
                HttpVersion.HTTP_1_1,
                HttpResponseStatus.valueOf(status),
                Unpooled.copiedBuffer(body, StandardCharsets.UTF_8));
        response.headers().set("Location", location);
        return check.accept(response, call, number);
    }
}
