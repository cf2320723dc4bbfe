package dev.ligeiro.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ligeiro.gateway.http.GatewayProperties;
import dev.ligeiro.support.RailProperties;
import dev.ligeiro.support.mongo.MongoClientConfiguration.MongoClientProperties;
import dev.ligeiro.testing.settings.Settings;
import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.context.properties.ConfigurationProperties;

/** All settings of the gateway: their defaults, their bounds, and what an operator reads about a value that is refused. */
class GatewaySettingsTest {

    /** Lowest and highest allowed value, and a value just below and above; {@code -} for no bound. */
    private static final String BOUNDS =
            """
            ligeiro.expires-in                               1s    365d    999ms  8761h
            ligeiro.console.session-max                      5m    24h     299s   1441m
            ligeiro.console.idle-max                         5m    24h     299s   1441m
            ligeiro.http.connections-max                     1     1000000 0      1000001
            ligeiro.http.idle-timeout                        100ms 1h      99ms   3601s
            ligeiro.http.request-timeout                     100ms 1h      99ms   3601s
            ligeiro.http.drain-time                          0s    10s     -1ms   10001ms
            ligeiro.rate-limits.key-reads-per-second         1     1000000 0      1000001
            ligeiro.rate-limits.key-writes-per-second        1     1000000 0      1000001
            ligeiro.rate-limits.merchant-reads-per-second    1     1000000 0      1000001
            ligeiro.rate-limits.merchant-writes-per-second   1     1000000 0      1000001
            ligeiro.long-reads.lists-max                     1     1000    0      1001
            ligeiro.long-reads.lists-per-tenant              1     1000    0      1001
            ligeiro.long-reads.pages-max                     1     1000    0      1001
            ligeiro.long-reads.pages-per-tenant              1     1000    0      1001
            ligeiro.long-reads.wait-max                      0s    2s      -1ms   2001ms
            ligeiro.long-reads.queries-max                   1     1000    0      1001
            ligeiro.long-reads.rest                          0     10      -1     11
            ligeiro.republish.every                          1ms   365d    0s     -
            ligeiro.republish.lease                          5s    5m      4999ms 301s
            ligeiro.republish.append-delay-max               1s    365d    999ms  -
            ligeiro.republish.pause-max                      1s    365d    999ms  -
            """;

    private static final List<Class<?>> RECORDS = Settings.records("dev.ligeiro.gateway");

    private record Bound(String property, String lowest, String highest, String below, String above) {

        private static Bound of(String line) {
            String[] cells = line.split(" +");
            return new Bound(cells[0], cells[1], cells[2], cells[3], cells[4]);
        }

        private void expectRefused(String value) {
            if (!value.equals("-")) {
                GatewaySettingsTest.expectRefused(property + "=" + value);
            }
        }
    }

    private static Stream<Bound> bounds() {
        return BOUNDS.lines().map(Bound::of);
    }

    @ParameterizedTest
    @MethodSource("bounds")
    void theBoundsAreIncluded(Bound bound) {
        Class<?> record = recordOf(bound.property);

        assertThat(Settings.of(record, bound.property + "=" + bound.lowest))
                .isNotEqualTo(Settings.of(record, bound.property + "=" + bound.highest));
        bound.expectRefused(bound.below);
        bound.expectRefused(bound.above);
    }

    @Test
    void everyNumberAndDurationIsBounded() {
        assertThat(records().flatMap(GatewaySettingsTest::countable))
                .containsExactlyInAnyOrderElementsOf(
                        bounds().map(Bound::property).toList());
    }

    private static Stream<String> countable(Class<?> record) {
        return Arrays.stream(record.getRecordComponents())
                .filter(component -> component.getType() == int.class || component.getType() == Duration.class)
                .map(RecordComponent::getName)
                .map(name ->
                        prefix(record) + "." + name.replaceAll("([A-Z])", "-$1").toLowerCase());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ligeiro.public-url=pix.example.com",
                "ligeiro.public-url=https://pix.example.com/",
                "ligeiro.public-url=https://pix.example.com/base",
                "ligeiro.public-url=https://user@pix.example.com",
                "ligeiro.public-url=ftp://pix.example.com",
                "ligeiro.public-url=https://",
                "ligeiro.amount-max=0",
                "ligeiro.amount-max=-1",
                "ligeiro.amount-max=0.001",
                "ligeiro.amount-max=10.005",
                "ligeiro.amount-max=10000000000",
                "ligeiro.ispb=1234567",
                "ligeiro.ispb=123456789",
                "ligeiro.ispb=1234567-",
                "ligeiro.republish.consumer-group="
            })
    void aValueOfTheWrongFormIsRefused(String setting) {
        expectRefused(setting);
    }

    @Test
    void aMalformedNetworkIsRefused() {
        assertThat(refusal("ligeiro.webhook.allowed-networks=10.1.2.3/8"))
                .contains("ligeiro.webhook.allowed-networks: 10.1.2.3/8 (expected: ");
        assertThat(refusal("ligeiro.proxies.trusted=proxy.example.com"))
                .contains("ligeiro.proxies.trusted: proxy.example.com (expected: ");
    }

    /** With the fault, payers of real money were sent to the host of a request, or to localhost. */
    @Test
    void liveModeNeedsThePublicUrl() {
        RailProperties live = Settings.of(RailProperties.class, "ligeiro.rails.routes[0].rail=bank");
        GatewayProperties local = Settings.defaults(GatewayProperties.class);
        GatewayProperties known = Settings.of(GatewayProperties.class, "ligeiro.public-url=https://pix.example.com");
        GatewayApplication configuration = new GatewayApplication();

        assertThatThrownBy(() -> configuration.viewSettings(local, live, 8080))
                .hasMessageStartingWith("ligeiro.public-url: not set (expected: ");
        assertThat(configuration.viewSettings(known, live, 8080).publicUrl()).isEqualTo("https://pix.example.com");
        assertThat(configuration
                        .viewSettings(local, Settings.defaults(RailProperties.class), 8080)
                        .publicUrl())
                .isEqualTo("http://localhost:8080");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ligeiro.public-url=http://localhost:8080",
                "ligeiro.time-zone=UTC",
                "ligeiro.amount-max=0.01",
                "ligeiro.amount-max=9999999999",
                "ligeiro.ispb=0000000A",
                "ligeiro.republish.consumer-group=other",
                "ligeiro.rate-limits.enabled=false",
                "ligeiro.http.reuse-port=true",
                "ligeiro.webhook.allowed-networks=10.0.0.0/8,::1/128",
                "ligeiro.proxies.trusted=10.0.0.0/8,::1/128",
            })
    void aValueOfTheRightFormIsTaken(String setting) {
        Class<?> record = recordOf(property(setting));

        assertThat(Settings.of(record, setting)).isNotEqualTo(Settings.defaults(record));
    }

    @ParameterizedTest
    @ValueSource(strings = {"ligeiro.time-zone=America/Nowhere", "ligeiro.republish.every=soon"})
    void aValueThatCannotBeReadIsRefused(String setting) {
        assertThat(refusal(setting)).contains("Failed to bind properties under '" + property(setting) + "'");
    }

    @ParameterizedTest
    @MethodSource("records")
    void theFileHasTheDefaults(Class<?> record) {
        assertThat(Settings.ofYaml(record)).isEqualTo(Settings.defaults(record));
    }

    /** A setting that the services share. */
    @Test
    void theFileHasTheTimeoutsOfMongodb() {
        assertThat(Settings.ofYaml(MongoClientProperties.class))
                .isEqualTo(new MongoClientProperties(Duration.ofSeconds(2), Duration.ofMillis(2_500)));
    }

    private static void expectRefused(String setting) {
        String name =
                property(setting).substring(prefix(recordOf(property(setting))).length() + 1);
        String field = camelCase(name);

        assertThat(refusal(setting))
                .contains("on field '" + field + "': rejected value [")
                .containsPattern("default message \\[(must|numeric value)[^\\]]*[a-z0-9]");
    }

    private static String refusal(String setting) {
        return Settings.refusal(recordOf(property(setting)), setting);
    }

    private static String property(String setting) {
        return setting.substring(0, setting.indexOf('='));
    }

    private static String camelCase(String name) {
        StringBuilder camelCase = new StringBuilder();
        for (int i = 0; i < name.length(); i++) {
            camelCase.append(name.charAt(i) == '-' ? Character.toUpperCase(name.charAt(++i)) : name.charAt(i));
        }
        return camelCase.toString();
    }

    private static Class<?> recordOf(String property) {
        return Settings.recordOf(RECORDS, property);
    }

    private static String prefix(Class<?> record) {
        return Objects.requireNonNull(record.getAnnotation(ConfigurationProperties.class))
                .value();
    }

    private static Stream<Class<?>> records() {
        return RECORDS.stream();
    }
}
