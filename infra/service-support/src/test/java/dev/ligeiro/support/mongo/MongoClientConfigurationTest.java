package dev.ligeiro.support.mongo;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.MongoClientSettings;
import com.mongodb.ReadConcern;
import com.mongodb.ReadPreference;
import com.mongodb.WriteConcern;
import com.mongodb.connection.NettyTransportSettings;
import com.mongodb.reactivestreams.client.MongoClient;
import com.mongodb.reactivestreams.client.MongoDatabase;
import com.mongodb.reactivestreams.client.internal.MongoClientImpl;
import dev.ligeiro.support.mongo.MongoClientConfiguration.MongoEventLoops;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Clock;
import java.util.function.Consumer;
import org.bson.UuidRepresentation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration;
import org.springframework.boot.mongodb.autoconfigure.MongoReactiveAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;

/** The settings of a service's client. The tests need no server. */
class MongoClientConfigurationTest {

    private static final String URI = "spring.mongodb.uri=mongodb://127.0.0.1:1/";

    private final ApplicationContextRunner service = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(SslAutoConfiguration.class, MongoReactiveAutoConfiguration.class))
            .withBean(SimpleMeterRegistry.class)
            .withUserConfiguration(MongoClientConfiguration.class);

    @Test
    void theGuaranteesHoldByDefault() {
        withSettings(this::assertGuarantees, URI);
    }

    @Test
    void noSettingWeakensTheGuarantees() {
        withSettings(
                this::assertGuarantees,
                URI + "?w=1&journal=false&readConcernLevel=available&readPreference=secondary&retryWrites=false"
                        + "&retryReads=false&uuidRepresentation=javaLegacy",
                "spring.mongodb.representation.uuid=java-legacy");
    }

    private void assertGuarantees(MongoClientSettings settings) {
        assertThat(settings.getWriteConcern()).isEqualTo(WriteConcern.MAJORITY.withJournal(true));
        assertThat(settings.getReadConcern()).isEqualTo(ReadConcern.LOCAL);
        assertThat(settings.getReadPreference()).isEqualTo(ReadPreference.primary());
        assertThat(settings.getRetryWrites()).isTrue();
        assertThat(settings.getRetryReads()).isTrue();
        assertThat(settings.getUuidRepresentation()).isEqualTo(UuidRepresentation.STANDARD);
    }

    @Test
    void theTimeOutsAreThoseOfTheSettings() {
        withSettings(
                settings -> assertTimeOuts(settings, 300, 300, 700),
                URI,
                "ligeiro.mongodb.connect-timeout=300ms",
                "ligeiro.mongodb.operation-timeout=700ms");
    }

    @Test
    void theTimeOutsOfTheUriOverrideThem() {
        withSettings(
                settings -> assertTimeOuts(settings, 1_000, 2_000, 3_000),
                URI + "?connectTimeoutMS=1000&serverSelectionTimeoutMS=2000&timeoutMS=3000",
                "ligeiro.mongodb.connect-timeout=300ms",
                "ligeiro.mongodb.operation-timeout=700ms");
    }

    private static void assertTimeOuts(MongoClientSettings settings, int connect, int selection, int operation) {
        assertThat(settings.getSocketSettings().getConnectTimeout(MILLISECONDS)).isEqualTo(connect);
        assertThat(settings.getClusterSettings().getServerSelectionTimeout(MILLISECONDS))
                .isEqualTo(selection);
        assertThat(settings.getTimeout(MILLISECONDS)).isEqualTo(operation);
    }

    @ParameterizedTest
    @CsvSource({
        URI + ", spring.mongodb.ssl.enabled=false, false",
        URI + ", spring.mongodb.ssl.enabled=true, true",
        URI + "?tls=true, spring.mongodb.ssl.enabled=false, true"
    })
    void tlsIsDemandedByTheSettingOrByTheUri(String uri, String setting, boolean demanded) {
        withSettings(
                settings -> assertThat(settings.getSslSettings().isEnabled()).isEqualTo(demanded), uri, setting);
    }

    @Test
    void theClientUsesTheEventLoopsOfTheService() {
        service.withPropertyValues(URI)
                .run(context -> assertThat(settings(context).getTransportSettings())
                        .isInstanceOfSatisfying(NettyTransportSettings.class, transport -> assertThat(
                                        transport.getEventLoopGroup())
                                .isSameAs(context.getBean(MongoEventLoops.class).group())));
    }

    @ParameterizedTest
    @CsvSource({
        URI + ", spring.mongodb.ssl.enabled=false, ligeiro",
        URI + "shop, spring.mongodb.ssl.enabled=false, shop",
        URI + "shop, spring.mongodb.database=other, other"
    })
    void theDatabaseIsThatOfTheSettingElseOfTheUriElseLigeiro(String uri, String setting, String database) {
        service.withPropertyValues(uri, setting)
                .run(context -> assertThat(context.getBean(MongoDatabase.class).getName())
                        .isEqualTo(database));
    }

    @Test
    void theClockOfTheServiceIsMongodbs() {
        service.withPropertyValues(URI)
                .run(context -> assertThat(context.getBean(Clock.class)).isInstanceOf(MongoClock.class));
    }

    private void withSettings(Consumer<MongoClientSettings> assertion, String... properties) {
        service.withPropertyValues(properties).run(context -> assertion.accept(settings(context)));
    }

    private static MongoClientSettings settings(ApplicationContext context) {
        return ((MongoClientImpl) context.getBean(MongoClient.class)).getSettings();
    }
}
