package dev.ligeiro.dispatcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import com.mongodb.MongoBulkWriteException;
import dev.ligeiro.message.EventType;
import dev.ligeiro.message.InvalidMessage;
import dev.ligeiro.message.MessageJson;
import dev.ligeiro.message.Topics;
import dev.ligeiro.message.TransactionEvent;
import dev.ligeiro.testing.kafka.TopicReader;
import dev.ligeiro.testing.webhook.WebhookReceiver;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.webhook.DeliveryId;
import dev.ligeiro.webhook.WebhookEndpoint;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.kafka.config.KafkaListenerEndpointRegistry;
import org.springframework.kafka.listener.MessageListenerContainer;

/** One dispatcher, and events that it cannot process. */
class DeadLetterIT {

    /** On a machine with twenty times its load, too. */
    private static final Duration SOON = Duration.ofSeconds(60);

    @RegisterExtension
    static final StartedDispatcher DISPATCHER = new StartedDispatcher(TestEnvironment.LONG_ATTEMPTS);

    private static final TestEnvironment ENVIRONMENT = DISPATCHER.environment();
    private static final WebhookReceiver RECEIVER = ENVIRONMENT.receiver();

    private final Tenant tenant = ENVIRONMENT.tenant();
    private final String path = "/" + tenant.key();

    @Test
    void invalidRecordsDoNotStopTheOthers() {
        WebhookEndpoint endpoint = ENVIRONMENT.endpoints().register(tenant, path);
        TransactionEvent before = ENVIRONMENT.paid(tenant);
        TransactionEvent after = ENVIRONMENT.paid(tenant);
        String unknownType = "{\"type\":\"transaction.melted\"}";
        String withoutData = "{\"type\":\"transaction.created\"}";
        // one key: one partition, so that the four are read in this order
        ENVIRONMENT.events().publish(path.getBytes(), MessageJson.write(before), List.of());
        ENVIRONMENT.events().publish(path.getBytes(), unknownType.getBytes(), List.of());
        ENVIRONMENT.events().publish(path.getBytes(), withoutData.getBytes(), List.of());
        ENVIRONMENT.events().publish(path.getBytes(), MessageJson.write(after), List.of());

        await().atMost(SOON)
                .until(() -> ENVIRONMENT.deliveries().statuses(endpoint).equals(List.of("delivered", "delivered")));
        assertThat(RECEIVER.received(path).stream().map(webhook -> webhook.header("webhook-id")))
                .containsOnly(before.id().toString(), after.id().toString());
        awaitDeadLetters(unknownType, withoutData);
        assertThat(ENVIRONMENT.events().deadLetters(path)).allSatisfy(letter -> {
            assertThat(TopicReader.header(letter, "reason")).contains("invalid_message");
            assertThat(TopicReader.header(letter, "exception-class")).contains(InvalidMessage.class.getName());
            assertThat(TopicReader.header(letter, "original-topic")).contains(Topics.EVENTS);
        });
    }

    /** MongoDB takes every delivery but one, however often it is tried. All are published before the start, so that they are one batch. */
    @Test
    void anEventWhoseDeliveryIsNeverStoredBecomesADeadLetterAndTheOthersAreDelivered() {
        try (TestEnvironment own = new TestEnvironment()) {
            own.events().createTopic();
            WebhookEndpoint endpoint = own.endpoints().register(tenant, path);
            List<TransactionEvent> events =
                    Stream.generate(() -> own.paid(tenant)).limit(21).toList();
            TransactionEvent poison = events.get(10);
            own.deliveries().refuse(new DeliveryId(endpoint.id(), poison.id()));
            for (TransactionEvent event : events) {
                own.events()
                        .publish(path.getBytes(), MessageJson.write(event), TestEvents.headers(tenant, event.type()));
            }
            own.startDispatcher();

            await().atMost(SOON).until(() -> own.deliveries().count(endpoint, "delivered") == 20);
            awaitDeadLetters(new String(MessageJson.write(poison)));
            assertThat(ENVIRONMENT.events().deadLetters(path)).singleElement().satisfies(letter -> {
                assertThat(TopicReader.header(letter, "reason")).contains("failed");
                assertThat(TopicReader.header(letter, "exception-class"))
                        .contains(MongoBulkWriteException.class.getName());
            });
            await().atMost(SOON).until(() -> own.consumerGroup().lag() == 0);
            assertThat(own.receiver().received(path).stream().map(webhook -> webhook.header("webhook-id")))
                    .containsExactlyInAnyOrderElementsOf(events.stream()
                            .filter(event -> event != poison)
                            .map(event -> event.id().toString())
                            .toList());
        }
    }

    static Stream<Arguments> damagedUrls() {
        return Stream.of(arguments(7), arguments(""), arguments((Object) null));
    }

    /** A newer version has written it, for example. */
    @ParameterizedTest
    @MethodSource("damagedUrls")
    void theEventsOfAMerchantWithAnEndpointThatCannotBeReadAreDeadLettersToo(@Nullable Object url) {
        WebhookEndpoint readable = ENVIRONMENT.endpoints().register(tenant, path);
        ENVIRONMENT.endpoints().set(ENVIRONMENT.endpoints().register(tenant, path + "/unreadable"), "url", url);
        byte[] event = MessageJson.write(ENVIRONMENT.paid(tenant));
        ENVIRONMENT.events().publish(path.getBytes(), event, TestEvents.headers(tenant, EventType.PAID));

        ENVIRONMENT.deliveries().awaitStatus(readable, "delivered");
        awaitDeadLetters(new String(event));
        assertThat(ENVIRONMENT.events().deadLetters(path))
                .allSatisfy(letter -> assertThat(TopicReader.header(letter, "exception-class"))
                        .hasValueSatisfying(name -> assertThat(name).contains("UnreadableEndpoint")));
        assertThat(RECEIVER.received(path + "/unreadable")).isEmpty();
    }

    /** By default it would stop for ever: an operator's mistake with a right would end all webhooks until a restart. */
    @Test
    void theListenerTriesAgainAfterAnAuthorizationError() {
        MessageListenerContainer container = ENVIRONMENT
                .dispatchers()
                .get(0)
                .getBean(KafkaListenerEndpointRegistry.class)
                .getListenerContainer("transaction-events");
        assertThat(Objects.requireNonNull(container).getContainerProperties().getAuthExceptionRetryInterval())
                .isEqualTo(Duration.ofSeconds(10));
    }

    /**
     * The headers give the type. Both records are malformed; only the one with a subscribed type is decoded, and becomes a dead
     * letter.
     */
    @Test
    void anEventThatNoEndpointSubscribesToIsNotDecoded() {
        ENVIRONMENT.endpoints().register(tenant, path);
        ENVIRONMENT
                .events()
                .publish(path.getBytes(), "created".getBytes(), TestEvents.headers(tenant, EventType.CREATED));
        ENVIRONMENT.events().publish(path.getBytes(), "paid".getBytes(), TestEvents.headers(tenant, EventType.PAID));

        awaitDeadLetters("paid");
    }

    /** Waits for the dead letters with this test's key. Two batches may be under way, so the second may write its letters first. */
    private void awaitDeadLetters(String... values) {
        await().atMost(SOON).ignoreExceptions().untilAsserted(() -> assertThat(
                        ENVIRONMENT.events().deadLetters(path))
                .extracting(letter -> new String(letter.value()))
                .containsOnly(values));
    }
}
