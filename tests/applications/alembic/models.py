"""The models as the application has them: ids are uuids that the database makes."""

from uuid import UUID

from sqlalchemy import ARRAY, ForeignKey, Index, Integer, Text, Uuid, text
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

MADE = text("gen_random_uuid()")


class Base(DeclarativeBase):
    pass


class User(Base):
    __tablename__ = "users"
    id: Mapped[UUID] = mapped_column(Uuid, primary_key=True, server_default=MADE)
    name: Mapped[str] = mapped_column(Text, unique=True)
    manager_id: Mapped[UUID | None] = mapped_column(ForeignKey("users.id"))


class Order(Base):
    __tablename__ = "orders"
    __table_args__ = (Index("orders_of_user", "user_id", "total"),)
    id: Mapped[UUID] = mapped_column(Uuid, primary_key=True, server_default=MADE)
    user_id: Mapped[UUID] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"))
    total: Mapped[int] = mapped_column(Integer, server_default=text("0"))
    watchers: Mapped[list[UUID]] = mapped_column(ARRAY(Uuid), server_default=text("'{}'::uuid[]"))


class Note(Base):
    __tablename__ = "notes"
    order_id: Mapped[UUID] = mapped_column(ForeignKey("orders.id"), primary_key=True)
    body: Mapped[str] = mapped_column(Text)
