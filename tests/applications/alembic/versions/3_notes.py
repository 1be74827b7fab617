"""Notes on orders, one on each."""

import sqlalchemy as sa
from alembic import op

revision, down_revision = "3", "2"


def upgrade():
    op.create_table(
        "notes",
        sa.Column("order_id", sa.BigInteger, sa.ForeignKey("orders.id"), primary_key=True),
        sa.Column("body", sa.Text, nullable=False),
    )
    op.execute("INSERT INTO notes SELECT id, 'noted' FROM orders")
