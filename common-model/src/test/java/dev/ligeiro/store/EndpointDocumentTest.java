package dev.ligeiro.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.fixture.Transactions;
import dev.ligeiro.message.EventType;
import dev.ligeiro.webhook.WebhookEndpoint;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.NotEmpty;
import net.jqwik.api.constraints.WithNull;
import org.bson.BsonDocument;
import org.bson.BsonDocumentReader;
import org.bson.BsonDocumentWriter;
import org.bson.Document;
import org.bson.UuidRepresentation;
import org.bson.codecs.Codec;
import org.bson.codecs.DecoderContext;
import org.bson.codecs.DocumentCodecProvider;
import org.bson.codecs.EncoderContext;
import org.bson.codecs.IterableCodecProvider;
import org.bson.codecs.ValueCodecProvider;
import org.bson.codecs.configuration.CodecRegistries;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class EndpointDocumentTest {

    /** As the services configure their driver. */
    private static final Codec<Document> CODEC = CodecRegistries.withUuidRepresentation(
                    CodecRegistries.fromProviders(
                            new ValueCodecProvider(), new IterableCodecProvider(), new DocumentCodecProvider()),
                    UuidRepresentation.STANDARD)
            .get(Document.class);

    @Property
    void anEndpointRoundTripsThroughItsDocument(
            @ForAll @NotEmpty Set<EventType> events, @ForAll @WithNull String description, @ForAll boolean enabled) {
        WebhookEndpoint endpoint = endpoint(events, description, enabled);

        assertThat(EndpointDocument.read(throughBson(EndpointDocument.of(endpoint))))
                .isEqualTo(endpoint);
    }

    @Test
    void isStoredUnderTheSharedFieldNames() {
        WebhookEndpoint endpoint = endpoint(Set.of(EventType.REFUND, EventType.PAID), "Shop", true);

        assertThat(EndpointDocument.of(endpoint))
                .containsOnlyKeys("_id", "tenant", "url", "events", "secret", "description", "enabled", "createdAt")
                .containsEntry("events", List.of("transaction.paid", "transaction.refund"));
    }

    @Test
    void unknownEventTypesAreIgnored() {
        Document newer = EndpointDocument.of(endpoint(Set.of(EventType.PAID), null, true));
        newer.append("events", List.of("transaction.paid", "transaction.unheard_of"));
        newer.append("ofANewerVersion", 1);

        assertThat(EndpointDocument.read(newer).events()).containsExactly(EventType.PAID);
    }

    private static WebhookEndpoint endpoint(Set<EventType> events, @Nullable String description, boolean enabled) {
        return new WebhookEndpoint(
                UUID.fromString("019cd827-d553-7abc-9def-0123456789ac"),
                Transactions.TENANT,
                "https://shop.example/hooks",
                events,
                "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
                description,
                enabled,
                Transactions.CREATED_AT);
    }

    /** {@code document} as the driver returns it. */
    private static Document throughBson(Document document) {
        BsonDocument stored = new BsonDocument();
        CODEC.encode(
                new BsonDocumentWriter(stored),
                document,
                EncoderContext.builder().build());
        return CODEC.decode(
                new BsonDocumentReader(stored), DecoderContext.builder().build());
    }
}
