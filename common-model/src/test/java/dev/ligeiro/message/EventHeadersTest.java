package dev.ligeiro.message;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.transaction.Mode;
import dev.ligeiro.transaction.Tenant;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

class EventHeadersTest {

    @ParameterizedTest
    @EnumSource
    void everyTypeRoundTripsThroughItsHeader(EventType type) {
        assertThat(EventHeaders.type(EventHeaders.value(type))).isEqualTo(type);
    }

    @ParameterizedTest
    @EnumSource
    void aTenantRoundTripsThroughItsHeader(Mode mode) {
        Tenant tenant = Tenant.of(4_711, mode);

        assertThat(EventHeaders.tenant(EventHeaders.value(tenant))).isEqualTo(tenant);
    }

    @ParameterizedTest
    @EnumSource
    void aBookEventIsNoEventOfAWebhook(BookEvent.Type type) {
        byte[] value = EventHeaders.value(type);

        assertThat(EventHeaders.isForBooks(value)).isTrue();
        assertThat(EventHeaders.type(value)).isNull();
        assertThat(EventType.values()).noneMatch(event -> EventHeaders.isForBooks(EventHeaders.value(event)));
    }

    @ParameterizedTest
    @NullSource
    @ValueSource(strings = {"", "x", "-1", "99999999999999999999", "transaction.unheard_of"})
    void malformedValuesAreNull(String text) {
        byte[] value = text == null ? null : text.getBytes(StandardCharsets.UTF_8);

        assertThat(EventHeaders.tenant(value)).isNull();
        assertThat(EventHeaders.type(value)).isNull();
        assertThat(EventHeaders.isForBooks(value)).isFalse();
    }
}
