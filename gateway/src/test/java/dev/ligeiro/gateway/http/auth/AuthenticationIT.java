package dev.ligeiro.gateway.http.auth;

import static dev.ligeiro.gateway.fixture.TestMerchant.ALL;
import static dev.ligeiro.gateway.fixture.TestMerchant.CASHIN;
import static dev.ligeiro.gateway.fixture.TestMerchant.ONE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.ligeiro.gateway.fixture.RunningGateway;
import dev.ligeiro.gateway.fixture.SharedGateway;
import dev.ligeiro.gateway.fixture.TestMerchant;
import dev.ligeiro.gateway.fixture.TestMerchant.NewKey;
import dev.ligeiro.gateway.fixture.TransactionDocuments;
import dev.ligeiro.infra.client.Answer;
import dev.ligeiro.infra.client.Api;
import dev.ligeiro.merchant.ApiKey;
import dev.ligeiro.transaction.Mode;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.bson.Document;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@ExtendWith(SharedGateway.class)
class AuthenticationIT {

    private static final String PAY = "/api/v1/sandbox/transaction/019cd831-1973-7abc-9def-0123456789ab/pay";

    private final RunningGateway gateway;
    private final TestMerchant merchant;

    AuthenticationIT(RunningGateway gateway, TestMerchant merchant) {
        this.gateway = gateway;
        this.merchant = merchant;
    }

    /** {@code BearerKeyTest} has the other forms. */
    @ParameterizedTest
    @ValueSource(
            strings = {"Basic c2s6", "Bearer sk_test_x", "Bearer sk_test_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"})
    void aWrongAuthorizationHeaderIsUnauthorized(String authorization) {
        Answer refused = Api.send(gateway.api().request(ALL).header("Authorization", authorization));

        assertThat(refused.expectProblem(401, "unauthorized").header("WWW-Authenticate"))
                .startsWith("Bearer realm=\"ligeiro\"");
    }

    @Test
    void aRevokedKeyStopsWorkingWithinFiveSeconds() {
        NewKey made = merchant.newKey();
        Api second = gateway.api().withToken(made.key());
        second.get(ALL).expect(200);

        merchant.revoke(made.id());

        second.get(ALL).expectProblem(401, "unauthorized");
        merchant.api().get(ALL).expect(200);
    }

    @Test
    void aCachedKeyStopsWorkingWhenItExpires() {
        Instant end = gateway.clock().instant().plus(Duration.ofMinutes(10));
        Api shortLived =
                gateway.api().withToken(merchant.newKey(Mode.TEST, null, end).key());
        gateway.clock().move(Duration.ofMinutes(9));
        shortLived.get(ALL).expect(200);

        gateway.clock().move(Duration.ofMinutes(1));

        shortLived.get(ALL).expectProblem(401, "unauthorized");
    }

    @Test
    void onlyTheHashOfAKeyIsStored() {
        try (TransactionDocuments stored = new TransactionDocuments(gateway.database())) {
            List<Document> keys = stored.all("api_keys");

            assertThat(keys).isNotEmpty().allSatisfy(key -> assertThat(key.toJson())
                    .doesNotContain("sk_test_")
                    .doesNotContain(merchant.key().substring("sk_test_".length())));
            assertThat(keys).extracting(key -> key.getString("hash")).contains(ApiKey.hash(merchant.key()));
        }
    }

    @Test
    void aLiveKeyReachesNeitherTheSandboxNorTestTransactions() {
        Api live = merchant.live().api();

        live.postNothing(PAY).expectProblem(403, "test_mode_only");
        live.get(ONE + merchant.created(merchant.cashin())).expectProblem(404, "transaction_not_found");
    }

    /** The look-up of the key writes the time after it has answered. */
    @Test
    void theLastUseOfAKeyIsStoredOnceInFiveMinutes() {
        NewKey made = merchant.newKey();
        Api second = gateway.api().withToken(made.key());
        assertThat(lastUse(made)).isNull();

        second.get(ALL).expect(200);
        Date first = await().until(() -> lastUse(made), Objects::nonNull);
        gateway.clock().move(Duration.ofMinutes(4));
        second.get(ALL).expect(200);
        gateway.clock().move(Duration.ofMinutes(2));
        second.get(ALL).expect(200);

        Date next = await().until(() -> lastUse(made), time -> !first.equals(time));
        assertThat(Duration.between(first.toInstant(), next.toInstant())).isGreaterThan(Duration.ofMinutes(6));
    }

    private @Nullable Date lastUse(NewKey made) {
        try (TransactionDocuments stored = new TransactionDocuments(gateway.database())) {
            return stored.all("api_keys").stream()
                    .filter(key -> made.id().equals(key.get("_id")))
                    .findFirst()
                    .orElseThrow()
                    .getDate("lastUsedAt");
        }
    }

    /** Each key is well-formed, so only MongoDB can tell that it is unknown. */
    @Test
    void randomKeysDoNotCrowdOutCreates() {
        List<CompletableFuture<Answer>> random = new ArrayList<>();
        for (int i = 0; i < 2_000; i++) {
            random.add(gateway.api().withToken(ApiKey.generate(Mode.TEST)).postAsync(CASHIN, "{}"));
            if (i % 100 == 0) {
                merchant.created(merchant.cashin());
            }
        }

        assertThat(random).extracting(CompletableFuture::join).allSatisfy(answer -> assertThat(answer.status())
                .isIn(401, 503));
    }

    @Test
    void unknownRevokedAndExpiredKeysAreAnsweredInTheSameWords() {
        NewKey revoked = merchant.newKey();
        merchant.revoke(revoked.id());
        Instant end = gateway.clock().instant().plus(Duration.ofMinutes(1));
        NewKey expired = merchant.newKey(Mode.TEST, null, end);
        gateway.clock().move(Duration.ofMinutes(1));

        assertThat(Stream.of(ApiKey.generate(Mode.TEST), revoked.key(), expired.key())
                        .map(key -> gateway.api().withToken(key).get(ALL).expectProblem(401, "unauthorized"))
                        .map(answer -> answer.text("detail") + answer.header("WWW-Authenticate"))
                        .distinct())
                .containsExactly("The API key is unknown, revoked or expired"
                        + "Bearer realm=\"ligeiro\", error=\"invalid_token\"");
    }

    /** A later version has stored a merchant that this one cannot read. Look-ups of several keys are one query. */
    @Test
    void anUnreadableMerchantRefusesItsOwnCallersOnly() {
        UUID unreadable = UUID.randomUUID();
        String key = ApiKey.generate(Mode.TEST);
        try (TransactionDocuments stored = new TransactionDocuments(gateway.database())) {
            stored.insert("merchants", new Document("_id", unreadable).append("number", "seven"));
            stored.insert(
                    "api_keys",
                    new Document("_id", UUID.randomUUID())
                            .append("hash", ApiKey.hash(key))
                            .append("merchantId", unreadable)
                            .append("mode", "TEST"));
        }
        List<String> good =
                Stream.generate(() -> merchant.newKey().key()).limit(10).toList();

        List<CompletableFuture<Answer>> answers = Stream.concat(Stream.of(key), good.stream())
                .map(each -> gateway.api().withToken(each).postAsync(CASHIN, "{}"))
                .toList();

        assertThat(answers).extracting(answer -> answer.join().status()).startsWith(500);
        assertThat(answers.subList(1, answers.size()))
                .allSatisfy(answer -> assertThat(answer.join().status()).isEqualTo(422));
    }
}
