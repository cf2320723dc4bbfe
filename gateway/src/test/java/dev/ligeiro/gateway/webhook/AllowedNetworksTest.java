package dev.ligeiro.gateway.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AllowedNetworksTest {

    @ParameterizedTest
    @CsvSource({
        "10.0.0.0/8,       10.255.255.255,      true",
        "10.0.0.0/8,       11.0.0.0,            false",
        "10.1.2.3/8,       10.200.0.1,          true",
        "172.16.0.0/12,    172.31.255.255,      true",
        "172.16.0.0/12,    172.32.0.0,          false",
        "192.168.1.128/25, 192.168.1.128,       true",
        "192.168.1.128/25, 192.168.1.127,       false",
        "127.0.0.1/32,     127.0.0.1,           true",
        "127.0.0.1/32,     127.0.0.2,           false",
        "0.0.0.0/0,        8.8.8.8,             true",
        "0.0.0.0/0,        [::1],               false",
        "::1/128,          [::1],               true",
        "::1/128,          [::2],               false",
        "fd00::/8,         [fdff::1],           true",
        "fd00::/8,         [fe00::1],           false",
        "fe80::/10,        [febf::1],           true",
        "fe80::/10,        [fec0::1],           false",
        "127.0.0.0/8,      [::ffff:127.0.0.1],  true",
        "::/0,             127.0.0.1,           false",
    })
    void aNetworkIsItsFirstBits(String cidr, String address, boolean contained) {
        assertThat(AllowedNetworks.parse(List.of(cidr)).contain(address)).isEqualTo(contained);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "10.0.0.0",
                "10.0.0.0/",
                "/8",
                "10/8",
                "10.0/16",
                "10.0.0/24",
                "010.0.0.0/8",
                "10.0.0.0/33",
                "10.0.0.0/-1",
                "10.0.0.0/+8",
                "10.0.0.0/8/8",
                "10.0.0.256/8",
                "::1/129",
                "::g/64",
                "example.com/8",
                "localhost/8",
                "any"
            })
    void whatIsNoNetworkStopsTheStart(String cidr) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> AllowedNetworks.parse(List.of(cidr)))
                .withMessage("ligeiro.webhook.allowed-networks: " + cidr + " (expected: a network such as 10.0.0.0/8)");
    }

    @Test
    void spacesAndEmptyEntriesAreNoNetworks() {
        assertThat(AllowedNetworks.parse(List.of("", "  ")).isEmpty()).isTrue();
        assertThat(AllowedNetworks.parse(List.of(" 10.0.0.0/8 ")).contain("10.0.0.1"))
                .isTrue();
    }
}
