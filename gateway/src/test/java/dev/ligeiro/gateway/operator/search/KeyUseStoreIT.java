package dev.ligeiro.gateway.operator.search;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.reactivestreams.client.MongoClient;
import com.mongodb.reactivestreams.client.MongoClients;
import dev.ligeiro.gateway.api.webhook.EndpointChangeStore;
import dev.ligeiro.gateway.fixture.RunningGateway;
import dev.ligeiro.gateway.fixture.SharedGateway;
import dev.ligeiro.gateway.fixture.TestMerchant;
import dev.ligeiro.gateway.operator.admin.AdminPage;
import dev.ligeiro.gateway.store.TestLongReads;
import dev.ligeiro.infra.client.Answer;
import dev.ligeiro.testing.brokers.TestBrokers;
import dev.ligeiro.transaction.Mode;
import dev.ligeiro.transaction.Tenant;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.bson.UuidRepresentation;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.data.mongodb.core.ReactiveMongoTemplate;

@ExtendWith(SharedGateway.class)
class KeyUseStoreIT {

    private static final int TRANSACTIONS_MAX = 3;
    private static final Duration WAIT_MAX = Duration.ofSeconds(30);

    private final RunningGateway gateway;
    private final TestMerchant merchant;

    KeyUseStoreIT(RunningGateway gateway, TestMerchant merchant) {
        this.gateway = gateway;
        this.merchant = merchant;
    }

    /** Of seven transactions the key has made the first and the fifth. */
    @Test
    void aPageThatReadsNoFurtherNamesTheNextOne() {
        Answer made = merchant.newKey("{\"mode\":\"test\"}");
        TestMerchant leaked = merchant.withKey(made.text("key"));
        List<String> expected = new ArrayList<>();
        for (int i = 0; i < 7; i++) {
            if (i % 4 == 0) {
                expected.add(0, leaked.created(leaked.cashin()));
            } else {
                merchant.created(merchant.cashin());
            }
        }
        long number = gateway.admin()
                .get("/admin/merchants/" + merchant.id())
                .expect(200)
                .json()
                .path("number")
                .asLong();

        List<String> found = new ArrayList<>();
        List<Integer> sizes = new ArrayList<>();
        try (MongoClient client = MongoClients.create(MongoClientSettings.builder()
                .applyConnectionString(new ConnectionString(TestBrokers.mongodbUri("admin")))
                .uuidRepresentation(UuidRepresentation.STANDARD)
                .build())) {
            KeyUseStore store = new KeyUseStore(
                    TestLongReads.over(client, gateway.database()),
                    new EndpointChangeStore(new ReactiveMongoTemplate(client, gateway.database()), Clock.systemUTC()),
                    TRANSACTIONS_MAX);
            @Nullable UUID after = null;
            do {
                AdminPage<KeyUseStore.KeyUse, UUID> page = Objects.requireNonNull(
                        store.newest(Tenant.of(number, Mode.TEST), UUID.fromString(made.text("id")), after)
                                .block(WAIT_MAX));
                page.items().forEach(use -> found.add(String.valueOf(use.transactionId())));
                sizes.add(page.items().size());
                after = page.next();
            } while (after != null);
        }

        assertThat(found).isEqualTo(expected);
        assertThat(sizes).containsExactly(1, 0, 1);
    }
}
