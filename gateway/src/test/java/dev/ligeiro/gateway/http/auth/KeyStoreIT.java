package dev.ligeiro.gateway.http.auth;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.reactivestreams.client.MongoClient;
import com.mongodb.reactivestreams.client.MongoClients;
import dev.ligeiro.gateway.fixture.RunningGateway;
import dev.ligeiro.gateway.fixture.SharedGateway;
import dev.ligeiro.merchant.ApiKey;
import dev.ligeiro.testing.brokers.TestBrokers;
import dev.ligeiro.transaction.Mode;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.bson.UuidRepresentation;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.data.mongodb.core.ReactiveMongoTemplate;

@ExtendWith(SharedGateway.class)
class KeyStoreIT {

    private static final Duration WAIT_MAX = Duration.ofSeconds(30);

    private final UUID merchant = UUID.randomUUID();
    private final MongoClient client;
    private final KeyStore store;

    KeyStoreIT(RunningGateway gateway) {
        client = MongoClients.create(MongoClientSettings.builder()
                .applyConnectionString(new ConnectionString(TestBrokers.mongodbUri(gateway.database())))
                .uuidRepresentation(UuidRepresentation.STANDARD)
                .build());
        store = new KeyStore(new ReactiveMongoTemplate(client, gateway.database()));
    }

    @AfterEach
    void close() {
        client.close();
    }

    /** Two rotations at the same moment have both read the key before either of them writes. */
    @ParameterizedTest
    @CsvSource({
        ",                    2030-01-01T00:00:00Z, 2030-01-01T00:00:00Z",
        "2030-01-01T00:00:00Z, 2030-01-02T00:00:00Z, 2030-01-01T00:00:00Z",
        "2030-01-02T00:00:00Z, 2030-01-01T00:00:00Z, 2030-01-01T00:00:00Z",
    })
    void aRotationNeverMakesTheOldKeyEndLater(@Nullable Instant before, Instant rotated, Instant after) {
        ApiKey old = key(null);
        store.insert(old).block(WAIT_MAX);
        if (before != null) {
            store.replace(old.rotatedUntil(before, Instant.EPOCH), key(null)).block(WAIT_MAX);
        }

        assertThat(store.replace(old.rotatedUntil(rotated, Instant.EPOCH), key(null))
                        .block(WAIT_MAX))
                .isTrue();

        assertThat(store.key(merchant, old.id())
                        .blockOptional(WAIT_MAX)
                        .orElseThrow()
                        .expiresAt())
                .isEqualTo(after);
    }

    private ApiKey key(@Nullable Instant expiresAt) {
        UUID id = UUID.randomUUID();
        return new ApiKey(
                id,
                id.toString(),
                null,
                merchant,
                null,
                Mode.TEST,
                List.of(),
                null,
                expiresAt,
                null,
                null,
                null,
                null,
                null,
                Instant.EPOCH);
    }
}
