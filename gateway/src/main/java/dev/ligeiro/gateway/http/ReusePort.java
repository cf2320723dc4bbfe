package dev.ligeiro.gateway.http;

import io.netty.channel.unix.UnixChannelOption;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.reactor.netty.NettyReactiveWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.stereotype.Component;

/**
 * Lets several gateways of one machine share the port, if asked to: the kernel spreads the connections over them. It asks by itself,
 * since the conditions of beans are decided when Ligeiro is built.
 */
@Component
class ReusePort implements WebServerFactoryCustomizer<NettyReactiveWebServerFactory> {

    private final boolean reuse;

    ReusePort(@Value("${ligeiro.http.reuse-port}") boolean reuse) {
        this.reuse = reuse;
    }

    @Override
    public void customize(NettyReactiveWebServerFactory factory) {
        if (reuse) {
            factory.addServerCustomizers(server -> server.option(UnixChannelOption.SO_REUSEPORT, true));
        }
    }
}
