package dev.ligeiro.gateway.http.connection;

import io.netty.channel.unix.UnixChannelOption;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.reactor.netty.NettyReactiveWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.stereotype.Component;

/** Lets several gateways of one machine share the port (SO_REUSEPORT): the kernel spreads the connections over them. */
@Component
@ConditionalOnBooleanProperty("ligeiro.http.reuse-port")
class ReusePort implements WebServerFactoryCustomizer<NettyReactiveWebServerFactory> {

    @Override
    public void customize(NettyReactiveWebServerFactory factory) {
        factory.addServerCustomizers(server -> server.option(UnixChannelOption.SO_REUSEPORT, true));
    }
}
