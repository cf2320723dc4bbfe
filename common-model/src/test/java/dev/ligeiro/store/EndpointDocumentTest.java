package dev.ligeiro.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.fixture.Endpoints;
import dev.ligeiro.fixture.Transactions;
import dev.ligeiro.message.EventType;
import dev.ligeiro.webhook.DisabledReason;
import dev.ligeiro.webhook.EncryptedText;
import dev.ligeiro.webhook.EndpointSecret;
import dev.ligeiro.webhook.EndpointStatus;
import dev.ligeiro.webhook.WebhookEndpoint;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.AlphaChars;
import net.jqwik.api.constraints.NotEmpty;
import net.jqwik.api.constraints.WithNull;
import org.bson.BsonDocumentReader;
import org.bson.Document;
import org.bson.UuidRepresentation;
import org.bson.codecs.Codec;
import org.bson.codecs.DecoderContext;
import org.bson.codecs.DocumentCodecProvider;
import org.bson.codecs.IterableCodecProvider;
import org.bson.codecs.ValueCodecProvider;
import org.bson.codecs.configuration.CodecRegistries;
import org.junit.jupiter.api.Test;

class EndpointDocumentTest {

    private static final UUID ID = UUID.fromString("019cd827-d553-7abc-9def-0123456789ac");

    /** As the services configure their driver. */
    private static final Codec<Document> CODEC = CodecRegistries.withUuidRepresentation(
                    CodecRegistries.fromProviders(
                            new ValueCodecProvider(), new IterableCodecProvider(), new DocumentCodecProvider()),
                    UuidRepresentation.STANDARD)
            .get(Document.class);

    @Property
    void anEndpointRoundTripsThroughItsDocument(
            @ForAll @NotEmpty Set<EventType> events,
            @ForAll @WithNull String description,
            @ForAll @WithNull DisabledReason reason,
            @ForAll Set<@AlphaChars @NotEmpty String> headers) {
        WebhookEndpoint endpoint = new WebhookEndpoint(
                ID,
                Transactions.TENANT,
                "https://shop.example/hooks",
                events.stream()
                        .collect(Collectors.toMap(
                                type -> type, type -> Transactions.CREATED_AT.plusSeconds(type.ordinal() / 2))),
                List.of(
                        new EndpointSecret(new EncryptedText("k2:AAAA"), null),
                        new EndpointSecret(new EncryptedText("k1:BBBB"), Transactions.CREATED_AT)),
                headers.stream().collect(Collectors.toMap(name -> name, name -> new EncryptedText("k1:" + name))),
                description,
                new EndpointStatus(reason, Transactions.CREATED_AT.plusSeconds(5)),
                Transactions.CREATED_AT,
                7);

        assertThat(EndpointDocument.read(throughBson(EndpointDocument.of(endpoint))))
                .isEqualTo(endpoint);
    }

    /** An event type that a newer version adds is in the feed too. */
    @Test
    void aFeedRoundTripsAndGetsEveryEvent() {
        WebhookEndpoint feed = WebhookEndpoint.feed(ID, Transactions.TENANT, Transactions.CREATED_AT);
        Document document = EndpointDocument.ofFeed(feed);

        assertThat(document).containsOnlyKeys("_id", "tenant", "createdAt", "version", "kind", "slot");
        assertThat(EndpointDocument.read(throughBson(document))).isEqualTo(feed);
        assertThat(feed.events()).containsOnlyKeys(EventType.values());
        assertThat(feed.wants(EventType.CREATED, Transactions.CREATED_AT)).isTrue();
        assertThat(feed.isFeed()).isTrue();
    }

    @Test
    void unknownEventTypesAreIgnored() {
        Document newer = EndpointDocument.of(endpoint(Set.of(EventType.PAID)));
        newer.append("events", List.of("transaction.paid", "transaction.unheard_of"));
        newer.append("ofANewerVersion", 1);

        assertThat(EndpointDocument.read(newer).events()).containsOnlyKeys(EventType.PAID);
    }

    private static WebhookEndpoint endpoint(Set<EventType> events) {
        return Endpoints.withEvents(Endpoints.endpoint(ID, Transactions.TENANT, "https://shop.example/hooks"), events);
    }

    /** {@code document} as the driver returns it. */
    private static Document throughBson(Document document) {
        return CODEC.decode(
                new BsonDocumentReader(StoredValues.document(CODEC, document)),
                DecoderContext.builder().build());
    }
}
