package dev.ligeiro.gateway;

import org.springframework.boot.actuate.autoconfigure.web.ManagementContextConfiguration;
import org.springframework.boot.reactor.netty.NettyReactiveWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.http.client.ReactorResourceFactory;

/** Settings of the management port, which has a context of its own. */
@ManagementContextConfiguration(proxyBeanMethods = false)
class ManagementConfiguration {

    /** The event loops of the public port: this one has too few requests for threads of its own. */
    @Bean
    WebServerFactoryCustomizer<NettyReactiveWebServerFactory> sharedLoops(ReactorResourceFactory resources) {
        return factory -> factory.setResourceFactory(resources);
    }
}
