package dev.ligeiro.gateway.http.connection;

import org.springframework.boot.actuate.autoconfigure.web.ManagementContextConfiguration;
import org.springframework.boot.reactor.netty.NettyReactiveWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.http.client.ReactorResourceFactory;

/** Lets the management port use the event loops of the public port, since it has too few requests for threads of its own. */
@ManagementContextConfiguration(proxyBeanMethods = false)
class ManagementConfiguration {

    @Bean
    WebServerFactoryCustomizer<NettyReactiveWebServerFactory> sharedLoops(ReactorResourceFactory resources) {
        return factory -> factory.setResourceFactory(resources);
    }
}
