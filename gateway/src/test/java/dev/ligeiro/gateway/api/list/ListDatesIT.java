package dev.ligeiro.gateway.api.list;

import static dev.ligeiro.gateway.fixture.TestMerchant.ALL;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.fixture.Transactions;
import dev.ligeiro.gateway.fixture.RunningGateway;
import dev.ligeiro.gateway.fixture.SharedGateway;
import dev.ligeiro.gateway.fixture.TestMerchant;
import dev.ligeiro.gateway.fixture.TransactionDocuments;
import dev.ligeiro.infra.client.Answer;
import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.transaction.TransactionId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Transactions created in the first and last milliseconds of days, and lists of 101 with filters that must be URL-encoded. */
@ExtendWith(SharedGateway.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ListDatesIT {

    private static final List<String> CREATED_AT = List.of(
            "2026-03-10T02:59:59.999Z",
            "2026-03-10T03:00:00.000Z",
            "2026-03-11T02:59:59.999Z",
            "2026-03-11T03:00:00.000Z");

    private final RunningGateway gateway;
    private final TestMerchant merchant;

    ListDatesIT(RunningGateway gateway, TestMerchant merchant) {
        this.gateway = gateway;
        this.merchant = merchant;
        Transaction made = stored(merchant);
        insert(CREATED_AT.stream().map(Instant::parse).map(at -> createdAt(made, at, at.toString())));
    }

    /** A transaction that the gateway has created, so that it has the tenant of the merchant. */
    private Transaction stored(TestMerchant owner) {
        try (TransactionDocuments stored = new TransactionDocuments(gateway.database())) {
            return stored.find(owner.created(owner.cashin()));
        }
    }

    private void insert(Stream<Transaction> all) {
        try (TransactionDocuments stored = new TransactionDocuments(gateway.database())) {
            stored.insert(all.toList());
        }
    }

    private static Transaction createdAt(Transaction like, Instant at, String description) {
        return Transactions.like(like)
                .createdAs(TransactionId.at(at))
                .accepted(true)
                .description(description)
                .reference(null)
                .build();
    }

    @ParameterizedTest
    @CsvSource({
        "2026-03-10, 2026-03-10, 2026-03-11T02:59:59.999Z 2026-03-10T03:00:00Z",
        "2026-03-09, 2026-03-09, 2026-03-10T02:59:59.999Z",
        "2026-03-11, 2026-03-11, 2026-03-11T03:00:00Z",
        "2026-03-09, 2026-03-11, 2026-03-11T03:00:00Z 2026-03-11T02:59:59.999Z 2026-03-10T03:00:00Z 2026-03-10T02:59:59.999Z",
        "1970-01-01, 2026-03-09, 2026-03-10T02:59:59.999Z",
        "2026-03-12, 2026-03-13, ''",
    })
    void aDayIncludesItsFirstAndItsLastMillisecondInSaoPaulo(String initial, String last, String expected) {
        Answer answer = merchant.api()
                .get(ALL + "?initial_date=" + initial + "&final_date=" + last)
                .expect(200);

        List<String> found = new ArrayList<>();
        answer.json()
                .path("transactions")
                .forEach(item -> found.add(item.path("description").stringValue()));
        assertThat(String.join(" ", found)).isEqualTo(expected);
        assertThat(answer.json().path("total").asInt()).isEqualTo(found.size());
    }

    /** The second page must select the same transactions as the first. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "Zoë",
                "a&b=c",
                "{page}",
                "100%",
                "50%25",
                "one two",
                "+1+1",
                "São João 日本 😀",
                "#/?:@",
                "\"'<>\\^`|"
            })
    void theLinkToTheNextPageHasTheSameFilter(String name) {
        TestMerchant owner = gateway.newMerchant();
        String label = name + " x";
        owner.api()
                .post(TestMerchant.CASHIN, owner.cashin().put("name", label).put("description", "101"))
                .expect(201);
        Transaction made = onlyOneOf(owner);
        insert(IntStream.range(0, 100).mapToObj(i -> createdAt(made, Instant.parse("2026-03-10T12:00:00Z"), "older")));

        Answer first = owner.api()
                .get(ALL + "?name_document="
                        + java.net.URLEncoder.encode(label, java.nio.charset.StandardCharsets.UTF_8))
                .expect(200);
        assertThat(first.json().path("total").asInt()).isEqualTo(101);
        Answer second = owner.api().get(first.text("next_page_url")).expect(200);

        assertThat(second.json().path("total").asInt()).isEqualTo(101);
        assertThat(second.json().path("transactions").size()).isEqualTo(1);
        assertThat(second.json().path("next_page_url").isNull()).isTrue();
    }

    private Transaction onlyOneOf(TestMerchant owner) {
        String id = owner.api()
                .get(ALL)
                .json()
                .path("transactions")
                .path(0)
                .path("id")
                .stringValue();
        try (TransactionDocuments stored = new TransactionDocuments(gateway.database())) {
            return stored.find(id);
        }
    }
}
