package dev.ligeiro.support.mongo;

import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;

/** The event loops of the MongoDB client's connections, and the socket type that fits them. */
public record MongoEventLoops(EventLoopGroup group, Class<? extends SocketChannel> socketChannel) {

    static MongoEventLoops oneThread() {
        return new MongoEventLoops(
                new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory()), NioSocketChannel.class);
    }

    void shutdownGracefully() {
        group.shutdownGracefully();
    }
}
